import { type ProvisionState, nextState, provisionStates, transitionRows } from '../index';
import { inspectionMermaid, statesMermaid, statesPage, statesSvg } from './index';
import { isAskedFor } from './arrows';
import { HEIGHT, LEGEND, WIDTH, panels } from './layout';

/** `from --trigger--> to`, once per trigger of each arrow. */
const spread = (from: string, triggers: string, to: string): string[] =>
  triggers.split(', ').map((trigger) => `${from} --${trigger}--> ${to}`);

const table = transitionRows()
  .map(({ from, trigger, to }) => `${from} --${trigger}--> ${to}`)
  .sort();

describe('the picture', () => {
  const svg = statesSvg();

  it('has every transition once and no other [1.14, 2.23]', () => {
    const drawn = [...svg.matchAll(/<title>([^:<]+): ([^<]+) leads to ([^<]+)<\/title>/g)].flatMap(
      ([, from = '', triggers = '', to = '']) => spread(from, triggers, to),
    );
    expect(drawn.sort()).toEqual(table);
  });

  it('gives every state one home', () => {
    for (const state of provisionStates) {
      const homes = panels.filter((panel) => panel.own[state]).length;
      const shown = panels.filter((panel) => panel.own[state] ?? panel.guests[state]).length;
      // `available`, `active`, `error` and `rescue` belong to no family: they are guests wherever they appear.
      expect({ state, homes, shown: shown > 0 }).toEqual({ state, homes: homes === 1 ? 1 : 0, shown: true });
      if (homes === 0) expect(['available', 'active', 'error', 'rescue']).toContain(state);
    }
  });

  it('keeps states inside their panels, apart from each other, and panels on the page', () => {
    for (const panel of panels) {
      const places = Object.values({ ...panel.own, ...panel.guests });
      for (const [x, y] of places) {
        expect(x).toBeGreaterThan(70);
        expect(x).toBeLessThan(panel.width - 70);
        expect(y).toBeGreaterThan(60);
        expect(y).toBeLessThan(panel.height - 30);
      }
      const close = places.filter(([x, y], i) =>
        places.some(([otherX, otherY], j) => i < j && Math.abs(x - otherX) < 140 && Math.abs(y - otherY) < 50),
      );
      expect(close).toEqual([]);
      expect(panel.x + panel.width).toBeLessThanOrEqual(WIDTH);
      expect(panel.y + panel.height).toBeLessThan(LEGEND);
    }
    expect(HEIGHT).toBeGreaterThan(LEGEND);
  });

  it('has curves only for arrows that exist', () => {
    for (const curve of panels.flatMap(({ curves }) => Object.keys(curves ?? {}))) {
      const [from = '', to = ''] = curve.split('>');
      const steps = table.filter((row) => row.startsWith(`${from} --`) && row.endsWith(`--> ${to}`));
      expect({ curve, exists: steps.length > 0 }).toEqual({ curve, exists: true });
    }
  });
});

describe('the Mermaid text', () => {
  const arrowsOf = (text: string): string[] => {
    const names = new Map([...text.matchAll(/state "(.+)" as (\w+)/g)].map(([, name = '', id = '']) => [id, name]));
    const named = (id: string): string => names.get(id) ?? id;
    return [...text.matchAll(/^ {2}(\w+) --> (\w+) : (.+)$/gm)].flatMap(([, from = '', to = '', triggers = '']) =>
      spread(named(from), triggers, named(to)),
    );
  };

  it('has every transition once', () => {
    expect(arrowsOf(statesMermaid()).sort()).toEqual(table);
  });

  it('has the ten rows of inspection in the small one [1.14, 1.26, 2.23]', () => {
    const rows = arrowsOf(inspectionMermaid());
    expect(rows.sort()).toEqual(
      [
        'manageable --inspect--> inspecting',
        'inspect failed --inspect--> inspecting',
        'inspect failed --manage--> manageable',
        'inspecting --done--> manageable',
        'inspecting --wait--> inspect wait',
        'inspecting --fail--> inspect failed',
        'inspect wait --done--> manageable',
        'inspect wait --fail--> inspect failed',
        'inspect wait --abort--> inspect failed',
        'inspect wait --resume--> inspecting',
      ].sort(),
    );
  });
});

describe('the page', () => {
  it('lists every transition with who raises it', () => {
    const rows = [...statesPage().matchAll(/^\| ([a-z -]+) \| (\w+) \| ([a-z -]+) \| (a client|our own work) \|$/gm)];
    expect(rows.map(([, from, trigger, to]) => `${from} --${trigger}--> ${to}`).sort()).toEqual(table);
  });

  it.each<[ProvisionState, 'clean' | 'manage' | 'abort' | 'inspect' | 'fail', boolean]>([
    ['manageable', 'clean', true],
    ['deleting', 'clean', false],
    ['cleaning', 'manage', false],
    ['inspect wait', 'abort', true],
    ['inspect failed', 'inspect', true],
    ['inspect wait', 'fail', false],
  ])('%s: %s asked for by a client is %s', (state, trigger, expected) => {
    expect(nextState(state, trigger)).toBeDefined();
    expect(isAskedFor(state, trigger)).toBe(expected);
  });
});
