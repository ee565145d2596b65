import { type ProvisionState, type Trigger, failure, stable, waitTimeoutOf } from '../index';
import { type Arrow, arrows, isAskedFor, isWorking } from './arrows';
import { BOX, curveBetween, pairBend } from './curve';
import { HEIGHT, LEGEND, type Panel, type Place, WIDTH, panels } from './layout';

/** How a state looks: what it asks of the operator. */
type Kind = 'stable' | 'failed' | 'waiting' | 'held' | 'working';

const KIND_TEXTS: Readonly<Record<Kind, string>> = {
  stable: 'stable: stays until someone asks',
  working: 'working: the conductor acts',
  waiting: 'waiting: for a call, under a deadline',
  held: 'held: until someone releases it',
  failed: 'failed: last_error says why',
};

function kindOf(state: ProvisionState): Kind {
  if (stable.has(state)) return 'stable';
  if (failure.has(state)) return 'failed';
  if (waitTimeoutOf(state)) return 'waiting';
  return isWorking(state) ? 'working' : 'held';
}

function triggerClass(from: ProvisionState, trigger: Trigger): string {
  if (isAskedFor(from, trigger)) return 'asked';
  return trigger === 'fail' ? 'fails' : 'own';
}

/** An arrow of several triggers has the colour that they share; otherwise a failure is among them and shows. */
function lineClass({ from, triggers }: Arrow): string {
  const classes = new Set(triggers.map((trigger) => triggerClass(from, trigger)));
  const [only = 'own'] = classes;
  return classes.size === 1 ? only : 'fails';
}

/** The panel that an arrow belongs to: that of its end, else that of its beginning. */
function panelOf({ from, to }: Arrow): Panel {
  const home = (state: ProvisionState): Panel | undefined => panels.find((panel) => panel.own[state]);
  const panel = stable.has(to) && !stable.has(from) ? home(from) : (home(to) ?? home(from));
  if (!panel) throw new Error(`no panel for the arrow from ${from} to ${to}`);
  return panel;
}

function placeIn(panel: Panel, state: ProvisionState): Place {
  const place = panel.own[state] ?? panel.guests[state];
  if (!place) throw new Error(`${state} has no place in the panel ${panel.title}`);
  return place;
}

function drawState(state: ProvisionState, [x, y]: Place, guest: boolean): string {
  const corner = `x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}"`;
  return `<g class="state ${kindOf(state)}${guest ? ' guest' : ''}"><rect ${corner} rx="9"/><text x="${x}" y="${y + 5}">${state}</text></g>`;
}

function drawArrow(panel: Panel, arrow: Arrow, all: readonly Arrow[]): readonly [line: string, label: string] {
  const { from, to, triggers } = arrow;
  const paired = all.some((other) => other.from === to && other.to === from);
  const ends = [placeIn(panel, from), placeIn(panel, to)] as const;
  const { bend = paired ? pairBend(...ends) : 0, at = 0.5 } = panel.curves?.[`${from}>${to}`] ?? {};
  const curve = curveBetween(...ends, bend, at);
  const style = lineClass(arrow);
  const words = triggers
    .map((trigger) => `<tspan class="${triggerClass(from, trigger)}">${trigger}</tspan>`)
    .join(', ');
  const title = `<title>${from}: ${triggers.join(', ')} leads to ${to}</title>`;
  return [
    `<path class="arrow ${style}" marker-end="url(#${style})" d="${curve.path}">${title}</path>`,
    `<text class="label" x="${curve.label[0]}" y="${curve.label[1] + 4}">${words}</text>`,
  ];
}

function drawPanel(panel: Panel, all: readonly Arrow[]): string {
  const drawn = all.filter((arrow) => panelOf(arrow) === panel).map((arrow) => drawArrow(panel, arrow, all));
  const states = (places: Panel['own'], guest: boolean): string[] =>
    Object.entries(places).map(([state, place]) => drawState(state as ProvisionState, place, guest));
  return [
    `<g transform="translate(${panel.x} ${panel.y})">`,
    `<rect class="panel${panel.highlighted ? ' lit' : ''}" width="${panel.width}" height="${panel.height}" rx="14"/>`,
    `<text class="title" x="22" y="36">${panel.title}</text>`,
    ...drawn.map(([line]) => line),
    ...states(panel.own, false),
    ...states(panel.guests, true),
    ...drawn.map(([, label]) => label),
    '</g>',
  ].join('\n');
}

function drawLegend(): string {
  const kinds = Object.entries(KIND_TEXTS).map(
    ([kind, text], index) =>
      `<g class="state ${kind}"><rect x="${22 + index * 284}" y="${LEGEND}" width="26" height="16" rx="5"/></g>` +
      `<text class="note" x="${56 + index * 284}" y="${LEGEND + 13}">${text}</text>`,
  );
  const lines = [
    ['asked', 'asked for by a client (a target of states/provision)'],
    ['own', 'raised by the work itself'],
    ['fails', 'failure or timeout'],
  ].map(
    ([style, text], index) =>
      `<path class="arrow ${style}" marker-end="url(#${style})" d="M ${22 + index * 420} ${LEGEND + 46} h 34"/>` +
      `<text class="note" x="${68 + index * 420}" y="${LEGEND + 51}">${text}</text>`,
  );
  return [...kinds, ...lines].join('\n');
}

const COLOURS = { asked: '#1d5fae', own: '#5b6470', fails: '#b3261e' };

const STYLE = `
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; font-size: 13px; fill: #1c2126; }
.heading { font-size: 24px; font-weight: bold; }
.note { font-size: 13px; fill: #3b434c; }
.panel { fill: #fbfbfc; stroke: #ccd2d9; }
.panel.lit { fill: #fff9e3; stroke: #d9a400; stroke-width: 2.5; }
.title { font-size: 17px; font-weight: bold; }
.state rect { stroke-width: 1.5; }
.state text { text-anchor: middle; font-weight: bold; }
.state.stable rect { fill: #dff2e1; stroke: #2e7d32; }
.state.working rect { fill: #e3eefb; stroke: #1d5fae; }
.state.waiting rect { fill: #fff0b8; stroke: #9a7400; }
.state.held rect { fill: #ececf0; stroke: #6a6f7b; }
.state.failed rect { fill: #fbe2e0; stroke: #b3261e; }
.state.guest rect { stroke-dasharray: 5 3; }
.state.guest text { font-weight: normal; }
.panel.lit ~ .label { stroke: #fff9e3; }
.arrow { fill: none; stroke-width: 1.6; }
.label { text-anchor: middle; font-size: 12.5px; paint-order: stroke; stroke: #fbfbfc; stroke-width: 5px; stroke-linejoin: round; }
${Object.entries(COLOURS)
  .map(([name, colour]) => `.arrow.${name} { stroke: ${colour}; }\ntspan.${name} { fill: ${colour}; }`)
  .join('\n')}
`;

/** The whole machine as an SVG picture, every arrow once. Throws when a state of the table has no place in the layout. */
export function statesSvg(): string {
  const all = arrows();
  const markers = Object.entries(COLOURS).map(
    ([name, colour]) =>
      `<marker id="${name}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M 0 1 L 10 5 L 0 9 z" fill="${colour}"/></marker>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="heading">`,
    `<style>${STYLE}</style>`,
    `<defs>${markers.join('')}</defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    '<text class="heading" id="heading" x="20" y="38">Provision states of a node</text>',
    '<text class="note" x="20" y="61">Drawn from the table in libs/domain/src/states. A dashed state belongs to another panel and is repeated here.</text>',
    ...panels.map((panel) => drawPanel(panel, all)),
    drawLegend(),
    '</svg>',
    '',
  ].join('\n');
}
