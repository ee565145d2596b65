import type { ApiFault } from './api-fault';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Request Entity Too Large',
  431: 'Request Header Fields Too Large',
};

/** The JSON text of an error. `error_message` is a string that holds JSON: every known client decodes it twice. */
export function faultBody(fault: ApiFault): string {
  const { status, message, form } = fault;
  const faultcode = status < 500 ? 'Client' : 'Server';
  switch (form) {
    case 'bare':
      return JSON.stringify({ faultcode, faultstring: message });
    case 'router':
      return wrapped({ code: status, title: titles[status] ?? 'Error', description: message });
    case 'resource':
      return wrapped({ faultcode, faultstring: message, debuginfo: null });
  }
}

const wrapped = (inner: object): string => JSON.stringify({ error_message: JSON.stringify(inner) });
