import { readSettings } from '@lib/contracts/settings';
import type { RawValue } from '@lib/contracts/settings';
import type { LoadedSettings } from '@lib/adapters/settings-file';
import { hardwareOptions, simulatorOptions } from './options';

function loaded(...values: readonly [section: string, name: string, text: string][]): LoadedSettings {
  const raw = values.map(([section, name, text]): RawValue => ({ section, name, text, source: 'spec' }));
  const { settings } = readSettings(raw, { hostname: 'h' });
  const ports = { api: 6385, inspector: 5050 };
  const runtime = {
    home: '/state',
    ports,
    services: [],
    busPrefix: 'b',
    natsUrl: null,
    logLevel: 'info' as const,
    databaseUrl: null,
  };
  return { settings, warnings: [], runtime };
}

describe('whom inspectors serve', () => {
  it('is this stack, unless a simulator is pointed elsewhere and a conductor at another inspector', () => {
    expect(simulatorOptions(loaded(), 'http://api').apiUrl).toBe('http://api');
    const elsewhere = loaded(
      ['simulator', 'api_endpoint', 'http://ironic.example:6385/'],
      ['inspector', 'endpoint_override', 'https://inspector.example'],
      ['inspector', 'auth_type', 'http_basic'],
      ['inspector', 'username', 'u'],
      ['inspector', 'password', 'p'],
    );
    expect(simulatorOptions(elsewhere, 'http://api').apiUrl).toBe('http://ironic.example:6385');
    expect(hardwareOptions(loaded()).inspectorOverHttp).toBeNull();
    expect(hardwareOptions(elsewhere)).toMatchObject({
      inspectorEndpoint: 'https://inspector.example',
      inspectorOverHttp: {
        endpoint: 'https://inspector.example',
        credentials: { kind: 'http_basic', username: 'u', password: 'p' },
        verifyCertificate: true,
      },
    });
  });

  it('cannot be wired with certificates that are not there', () => {
    const settings = loaded(
      ['inspector', 'endpoint_override', 'https://i'],
      ['inspector', 'cafile', '/nonexistent.pem'],
    );
    expect(() => hardwareOptions(settings)).toThrow(/^\[inspector\] cafile: it cannot be read: ENOENT/);
  });
});

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
