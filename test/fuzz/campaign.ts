/** Sends requests, a few at a time, and looks at every answer. */
import { httpCall } from '../stack/http-call';
import { describeRequest, onTheWire, type FuzzRequest } from './fuzz-request';
import { stock } from './inventory';
import { complaints } from './judge';
import { requestsOf } from './requests';
import { send } from './wire';

export interface CampaignOptions {
  /** Of the API. */
  readonly url: string;
  readonly seed: number;
  readonly requests: number;
  /** How many wait for their answers at a time. */
  readonly atATime?: number;
  /** A request that waits while so many later ones were answered hangs. */
  readonly patience?: number;
  readonly progress?: (sent: number, failed: number) => void;
}

export interface Finding {
  /** Which of the requests of the seed, from 0. */
  readonly at: number;
  readonly request: string;
  readonly complaints: readonly string[];
}

export interface CampaignResult {
  readonly seed: number;
  readonly requests: number;
  /** Status -> how often; 0 where the connection was closed. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly findings: readonly Finding[];
}

const AT_A_TIME = 6;
const PATIENCE = 3_000;
/** Requests are made in batches, each from a seed of its own. */
const BATCH = 250;
const STOCK_EVERY = 2;

interface Waiting {
  readonly at: number;
  readonly request: FuzzRequest;
  readonly drop: () => void;
  answeredSince: number;
}

class Campaign {
  private readonly statuses: Record<number, number> = {};
  private readonly findings: Finding[] = [];
  private readonly waiting = new Set<Waiting>();
  private answered = 0;

  constructor(
    private readonly url: URL,
    private readonly patience: number,
  ) {}

  /** Resolves when the request is answered, or given up as hanging. */
  async play(at: number, request: FuzzRequest): Promise<void> {
    const { answer, drop } = send(this.url, onTheWire(request), request.kind === 'broken');
    let isHanging = false;
    const waiting: Waiting = {
      at,
      request,
      answeredSince: 0,
      drop: () => {
        isHanging = true;
        drop();
      },
    };
    this.waiting.add(waiting);
    const got = await answer;
    this.waiting.delete(waiting);
    if (isHanging) return this.blame(at, request, [`no answer while ${this.patience} later requests were answered`]);
    this.answered += 1;
    this.statuses[got?.status ?? 0] = (this.statuses[got?.status ?? 0] ?? 0) + 1;
    this.blame(at, request, complaints(request, got));
    this.countAnswer();
  }

  private countAnswer(): void {
    for (const one of this.waiting) {
      one.answeredSince += 1;
      if (one.answeredSince > this.patience) one.drop();
    }
  }

  private blame(at: number, request: FuzzRequest, found: readonly string[]): void {
    if (found.length > 0) this.findings.push({ at, request: describeRequest(request), complaints: found });
  }

  /** Asks for something else until what still waits is answered or has waited for too long. */
  async drain(all: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = all.finally(() => (isOver = true));
    while (!isOver) {
      await httpCall(this.url.href, { method: 'GET', path: '/v1' }).catch(() => undefined);
      this.countAnswer();
    }
    await over;
  }

  get failed(): number {
    return this.findings.length;
  }

  result(seed: number): CampaignResult {
    return { seed, requests: this.answered, statuses: this.statuses, findings: this.findings };
  }
}

/** Resolves also when the API is gone: then every further request is a finding. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { url, seed, requests, atATime = AT_A_TIME, patience = PATIENCE, progress } = options;
  const campaign = new Campaign(new URL(url), patience);
  for (let from = 0, batch = 0; from < requests; from += BATCH, batch += 1) {
    // Without an API there is nothing to stock, and each request will say so.
    if (batch % STOCK_EVERY === 0) await stock(url).catch(() => undefined);
    const all = requestsOf(seed + batch, Math.min(BATCH, requests - from)).entries();
    const worker = async (): Promise<void> => {
      for (const [at, request] of all) await campaign.play(from + at, request);
    };
    const last = from + BATCH >= requests;
    const played = Promise.all(Array.from({ length: atATime }, worker));
    if (last) await campaign.drain(played);
    else await played;
    progress?.(Math.min(from + BATCH, requests), campaign.failed);
  }
  return campaign.result(seed);
}
