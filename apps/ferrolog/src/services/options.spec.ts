import { readSettings } from '@lib/contracts/settings';
import type { RawValue } from '@lib/contracts/settings';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { hardwareOptions, simulatorOptions } from './options';

function loaded(...values: readonly [section: string, name: string, text: string][]): LoadedSettings {
  const raw = values.map(([section, name, text]): RawValue => ({ section, name, text, source: 'spec' }));
  const { settings } = readSettings(raw, { hostname: 'h' });
  const ports = { api: 6385, inspector: 5050 };
  const runtime = { home: '/state', ports, services: [], busPrefix: 'b', natsUrl: null, databaseUrl: null };
  return { settings, warnings: [], runtime };
}

describe('the boot of ramdisks, as it is wired', () => {
  it('stays in the state folder and on this host where nothing else is said', () => {
    const { pxe, ramdisk, inspectorEndpoint } = hardwareOptions(loaded());
    expect(pxe).toEqual({
      tftpRoot: '/state/tftpboot',
      httpRoot: '/state/httpboot',
      httpUrl: null,
      deployKernel: null,
      deployRamdisk: null,
    });
    expect([ramdisk.apiUrl, inspectorEndpoint]).toEqual(['http://127.0.0.1:6385', 'http://127.0.0.1:5050']);
    expect(ramdisk).toMatchObject({ extraKernelParameters: [], forceDhcp: false, fastTrack: false });
  });

  it('follows the settings, and simulated machines read where the conductor writes', () => {
    const given = loaded(
      ['pxe', 'tftp_root', '/srv/tftp'],
      ['deploy', 'http_root', '/srv/http'],
      ['deploy', 'http_url', 'http://192.0.2.1:8080'],
      ['deploy', 'fast_track', 'true'],
      ['conductor', 'deploy_kernel', 'http://192.0.2.1/k'],
      ['conductor', 'deploy_ramdisk', 'http://192.0.2.1/r'],
      ['api', 'public_endpoint', 'https://bare.example'],
      ['inspector', 'callback_endpoint_override', 'http://inspector.example:5050'],
      ['inspector', 'extra_kernel_params', ' nomodeset  x=1 '],
      ['inspector', 'force_dhcp', 'yes'],
    );
    expect(hardwareOptions(given)).toMatchObject({
      pxe: {
        httpUrl: 'http://192.0.2.1:8080',
        deployKernel: 'http://192.0.2.1/k',
        deployRamdisk: 'http://192.0.2.1/r',
      },
      ramdisk: {
        apiUrl: 'https://bare.example',
        extraKernelParameters: ['nomodeset', 'x=1'],
        forceDhcp: true,
        fastTrack: true,
      },
      inspectorEndpoint: 'http://inspector.example:5050',
    });
    const roots = { tftpRoot: '/srv/tftp', httpRoot: '/srv/http' };
    expect(hardwareOptions(given).pxe).toMatchObject(roots);
    expect(simulatorOptions(given, 'http://api').bootFiles).toEqual(roots);
  });
});
