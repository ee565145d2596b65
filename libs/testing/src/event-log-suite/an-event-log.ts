import { appends } from './appends';
import { batches } from './batches';
import { documents } from './documents';
import { fences } from './fences';
import { keys } from './keys';
import { leases } from './leases';
import type { OpenLog } from './log-under-test';
import { paging } from './paging';
import { besideTheLog } from './beside-the-log';

/** The contract of the ports event-log, read-model and their neighbours, for any adapter. */
export function anEventLog(name: string, open: OpenLog): void {
  describe(`${name} is an event log`, () => {
    appends(open);
    keys(open);
    batches(open);
    documents(open);
    paging(open);
    leases(open);
    fences(open);
    besideTheLog(open);
  });
}
