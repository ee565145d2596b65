import type { Place } from './layout';

export const BOX = { width: 132, height: 38 };

export interface Curve {
  /** An SVG path: one quadratic curve. */
  readonly path: string;
  readonly label: Place;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** From the middle of a box towards a point: where the line leaves the box, `gap` pixels outside. */
function leaveBox([x, y]: Place, [towardsX, towardsY]: Place, gap: number): Place {
  const dx = towardsX - x;
  const dy = towardsY - y;
  const scale = Math.min((BOX.width / 2 + gap) / Math.abs(dx), (BOX.height / 2 + gap) / Math.abs(dy));
  return [x + dx * scale, y + dy * scale];
}

/** How far the two arrows of a pair keep apart: side by side their labels need more room than one above the other. */
export function pairBend(from: Place, to: Place): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return 32 + (22 * Math.abs(dy)) / Math.hypot(dx, dy);
}

/**
 * A curve between the edges of two boxes. `bend` (pixels) pulls its middle to the left of its direction, negative to the
 * right; `at` (0..1) is where the label sits.
 */
export function curveBetween(from: Place, to: Place, bend: number, at: number): Curve {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const pull = bend / Math.hypot(dx, dy);
  const control: Place = [(from[0] + to[0]) / 2 + dy * pull, (from[1] + to[1]) / 2 - dx * pull];
  const start = leaveBox(from, control, 1);
  const end = leaveBox(to, control, 5);
  const on = (axis: 0 | 1): number =>
    round((1 - at) ** 2 * start[axis] + 2 * at * (1 - at) * control[axis] + at ** 2 * end[axis]);
  const text = (place: Place): string => place.map(round).join(' ');
  return { path: `M ${text(start)} Q ${text(control)} ${text(end)}`, label: [on(0), on(1)] };
}
