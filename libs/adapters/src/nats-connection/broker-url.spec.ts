import { parseBrokerUrl } from './index';

describe('parseBrokerUrl', () => {
  it('takes a plain address, with and without scheme and port', () => {
    expect(parseBrokerUrl('nats://10.0.0.1:4333')).toEqual({
      servers: ['10.0.0.1:4333'],
      tls: false,
      shown: 'nats://10.0.0.1:4333',
    });
    expect(parseBrokerUrl('broker.example').servers).toEqual(['broker.example:4222']);
    expect(parseBrokerUrl('nats://[::1]:4222').servers).toEqual(['[::1]:4222']);
  });

  it('takes several servers, and the credentials of the first that has some', () => {
    const address = parseBrokerUrl('tls://a:1, tls://us%40er:p%3Aw@b:2');
    expect(address).toMatchObject({ servers: ['a:1', 'b:2'], user: 'us@er', password: 'p:w', tls: true });
  });

  it('takes a user name alone as a token', () => {
    expect(parseBrokerUrl('nats://s3cret@a:1')).toMatchObject({ token: 's3cret' });
  });

  it.each([
    'nats://user:s3cret@a:1',
    'user:s3cret@a:1',
    'nats://user:s3@s3cret@a:1',
    'nats://s3cret@a:1,nats://u:s3cret@b:2',
  ])('never shows the credentials of %s', (text) => {
    expect(parseBrokerUrl(text).shown).not.toContain('s3');
    expect(parseBrokerUrl(text).shown).toContain('***@a:1');
  });

  it.each(['', ' , ', 'http://user:s3cret@a:1', 'nats://', 'nats://user:s3cret@a:port'])(
    'refuses %j in one sentence',
    (text) => {
      let said = '';
      try {
        parseBrokerUrl(text);
      } catch (error) {
        said = (error as Error).message;
      }
      expect(said).toMatch(/broker address/);
      expect(said).not.toContain('s3cret');
    },
  );
});
