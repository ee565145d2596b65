/** The logger port over pino. */
export { pinoLogger, type PinoLoggerOptions } from './pino-logger';
