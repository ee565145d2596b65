import { BUS_BODY_BYTES_MAX, BusError } from '@lib/ports';

export function assertSize(body: Uint8Array): void {
  if (body.length > BUS_BODY_BYTES_MAX) {
    throw new BusError('TOO_LARGE', `a body of ${body.length} bytes; the bus takes ${BUS_BODY_BYTES_MAX}`);
  }
}
