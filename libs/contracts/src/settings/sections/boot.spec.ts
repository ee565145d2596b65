import { bootConductorOptions, bootDeployOptions, bootInspectorOptions, pxeSection } from './boot';

const good = (value: unknown) => ({ ok: true, value });
const refused = { ok: false, problem: expect.any(String) as string };

describe('settings of managed boot', () => {
  it.each(['/tftpboot', '/srv/ferrolog/http'])('take the folder %s', (path) => {
    expect(pxeSection.tftp_root.parse(path)).toEqual(good(path));
    expect(bootDeployOptions.http_root.parse(path)).toEqual(good(path));
  });

  it.each(['tftpboot', './x', '/a/../b', '/a b', '/a/', '/a\n', '/'])('refuse the folder %j', (path) => {
    expect(pxeSection.tftp_root.parse(path)).toEqual(refused);
  });

  it.each(['http://i/k', 'https://i/k?x=1', 'tftp://i/k', 'file:///srv/k'])('take the image %s', (href) => {
    expect(bootConductorOptions.deploy_kernel.parse(href)).toEqual(good(href));
  });

  it.each(['k', 'glance://x', 'file://host/k', 'http://i/k quiet', 'http://i/k;boot', 'http://i/${net0/mac}'])(
    'refuse the image %j',
    (href) => {
      expect(bootConductorOptions.deploy_ramdisk.parse(href)).toEqual(refused);
    },
  );

  it.each(['mdns', 'http://192.0.2.1:5050', 'https://inspector.example/v1'])('take the callback %s', (url) => {
    expect(bootInspectorOptions.callback_endpoint_override.parse(url)).toEqual(good(url));
  });

  it.each(['inspector', 'ftp://x', 'http://x?y=1', 'http://x#y', 'http:// x', 'http://x;y'])(
    'refuse the callback %j',
    (url) => {
      expect(bootInspectorOptions.callback_endpoint_override.parse(url)).toEqual(refused);
    },
  );

  it('take kernel parameters as they will stand in the files, and nothing that a loader reads otherwise', () => {
    const { extra_kernel_params: option } = bootInspectorOptions;
    expect(option.parse('nomodeset console=ttyS0,115200')).toEqual(good('nomodeset console=ttyS0,115200'));
    for (const odd of ['a="b c"', 'a || shell', '$x', 'a\tb']) expect(option.parse(odd)).toEqual(refused);
  });
});
