import { connect as connectSocket } from 'node:net';
import { startBroker } from './index';

const reachable = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe('startBroker', () => {
  it('starts on a free port, dies at once, comes back on the same port and leaves nothing behind', async () => {
    const broker = await startBroker();
    try {
      const { port } = broker;
      const firstPid = broker.pid();
      expect(await reachable(port)).toBe(true);
      await broker.kill();
      expect(await reachable(port)).toBe(false);
      await broker.restart();
      expect(broker.port).toBe(port);
      expect(broker.pid()).not.toBe(firstPid);
      expect(await reachable(port)).toBe(true);
    } finally {
      await broker.stop();
    }
    expect(await reachable(broker.port)).toBe(false);
  });
});
