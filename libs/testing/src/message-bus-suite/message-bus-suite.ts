import { benchEachTest, type BusSite } from './bench';
import { closing } from './closing';
import { failures } from './failures';
import { groups } from './groups';
import { hints } from './hints';
import { requests } from './requests';

/** The contract of the bus; every adapter runs it. */
export function aMessageBus(name: string, openSite: () => Promise<BusSite>): void {
  describe(`message bus: ${name}`, () => {
    const bench = benchEachTest(openSite);
    for (const part of [requests, failures, groups, closing, hints]) part(bench);
  });
}
