import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { portTaken } from './port-taken';

describe('a port that another program has', () => {
  it('is named with the variable that chooses another one', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const second = createServer().listen(port, '127.0.0.1');
    const [error] = (await once(second, 'error')) as [Error];
    first.close();
    expect(() => portTaken('FERROLOG_API_PORT')(error)).toThrow(
      `another program listens on 127.0.0.1 port ${port}; stop it, or choose another port with FERROLOG_API_PORT.`,
    );
  });

  it('is not what every error is about', () => {
    const other = new Error('something else');
    expect(() => portTaken('FERROLOG_INSPECTOR_PORT')(other)).toThrow(other);
  });
});
