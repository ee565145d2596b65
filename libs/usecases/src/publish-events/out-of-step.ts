/**
 * The stream ends elsewhere than where a publisher left it, and nothing of what it had was taken: another conductor published that
 * first, which is how several of them share one stream, or the stream lost its end.
 */
export class OutOfStep extends Error {
  constructor() {
    super('the stream does not end where this publisher left it');
    this.name = 'OutOfStep';
  }
}
