/** What a stream can show. */
export interface Terminal {
  /** Lines can be redrawn in place. */
  readonly live: boolean;
  readonly colour: boolean;
  /** Columns of a line; null where lines have no end (a file, a pipe). */
  width(): number | null;
  height(): number | null;
  write(text: string): void;
}

const WIDTH_MIN = 40;

/** NO_COLOR (any text) means no colours, TERM=dumb neither colours nor redrawing. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const capable = stream.isTTY === true && env['TERM'] !== 'dumb';
  return {
    live: capable,
    colour: capable && !env['NO_COLOR'],
    width: () => (stream.isTTY === true ? Math.max(WIDTH_MIN, stream.columns || 80) : null),
    height: () => (stream.isTTY === true ? stream.rows || 24 : null),
    write: (text) => void stream.write(text),
  };
}
