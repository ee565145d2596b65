import { type BusRequest, subjectMatches } from '@lib/ports';

export interface Server {
  readonly pattern: string;
  readonly queue: string;
  /** Takes the request; calls `answer` at most once, and never when the handler fails. */
  take(request: BusRequest, answer: (reply: Uint8Array) => void): void;
}

export interface Listener {
  readonly pattern: string;
  take(hint: BusRequest): void;
}

/** Who serves and who listens, on all buses of one hub. */
export class Subscribers {
  private readonly servers = new Set<Server>();
  private readonly listeners = new Set<Listener>();
  private readonly turns = new Map<string, number>();

  addServer(server: Server): void {
    this.servers.add(server);
  }

  removeServer(server: Server): void {
    this.servers.delete(server);
  }

  addListener(listener: Listener): void {
    this.listeners.add(listener);
  }

  removeListener(listener: Listener): void {
    this.listeners.delete(listener);
  }

  /** One server of each queue group that serves the subject; the members of a group take turns. */
  serversOf(subject: string): Server[] {
    const groups = new Map<string, Server[]>();
    for (const server of this.servers) {
      if (!subjectMatches(server.pattern, subject)) continue;
      const members = groups.get(server.queue);
      if (members === undefined) groups.set(server.queue, [server]);
      else members.push(server);
    }
    return [...groups].flatMap(([queue, members]) => members[this.turn(queue) % members.length] ?? []);
  }

  listenersOf(subject: string): Listener[] {
    return [...this.listeners].filter((listener) => subjectMatches(listener.pattern, subject));
  }

  private turn(queue: string): number {
    const turn = this.turns.get(queue) ?? 0;
    this.turns.set(queue, turn + 1);
    return turn;
  }
}
