/** The logger port over pino. */
export { type LogLevel, logLevels, pinoLogger, type PinoLoggerOptions } from './pino-logger';
