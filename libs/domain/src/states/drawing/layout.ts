/**
 * Where the states stand: one panel per family of states, placed by hand. A stable state appears in every panel it
 * takes part in. All numbers are pixels; places are relative to the panel's corner.
 */
import type { ProvisionState } from '../index';

export type Place = readonly [x: number, y: number];

export interface Panel {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly highlighted?: boolean;
  /** States that belong here: arrows to them, and their arrows to stable states, are drawn in this panel. */
  readonly own: Readonly<Partial<Record<ProvisionState, Place>>>;
  /** States of other families that arrows here begin or end at. */
  readonly guests: Readonly<Partial<Record<ProvisionState, Place>>>;
  /** Arrows that need more than a straight line: `from>to`; bend in pixels (left of the direction is positive), label place 0..1. */
  readonly curves?: Readonly<Record<string, { readonly bend?: number; readonly at?: number }>>;
}

export const WIDTH = 1440;
/** Where the two lines of the legend begin. */
export const LEGEND = 1722;
export const HEIGHT = LEGEND + 72;
const LEFT = 20;
const RIGHT = 730;
const HALF = 690;

export const panels: readonly Panel[] = [
  {
    title: 'Inspection',
    x: LEFT,
    y: 76,
    width: HALF,
    height: 380,
    highlighted: true,
    own: { inspecting: [345, 190], 'inspect wait': [590, 90], 'inspect failed': [345, 330] },
    guests: { manageable: [100, 90] },
  },
  {
    title: 'Enrolment and adoption',
    x: RIGHT,
    y: 76,
    width: HALF,
    height: 380,
    own: {
      enroll: [100, 90],
      verifying: [345, 90],
      adopting: [345, 210],
      'adopt failed': [345, 330],
      manageable: [590, 90],
    },
    guests: { active: [100, 210], available: [590, 250] },
    curves: { 'adopt failed>manageable': { bend: -36, at: 0.45 }, 'manageable>adopting': { at: 0.55 } },
  },
  {
    title: 'Cleaning',
    x: LEFT,
    y: 476,
    width: HALF,
    height: 400,
    own: { cleaning: [300, 200], 'clean wait': [525, 80], 'clean hold': [525, 220], 'clean failed': [525, 350] },
    guests: { deleting: [90, 80], available: [90, 200], manageable: [90, 350] },
    curves: { 'clean wait>clean failed': { bend: 200 }, 'clean wait>cleaning': { bend: 32, at: 0.6 } },
  },
  {
    title: 'Deployment',
    x: RIGHT,
    y: 476,
    width: HALF,
    height: 400,
    own: { deploying: [300, 200], 'wait call-back': [525, 80], 'deploy hold': [525, 220], 'deploy failed': [525, 350] },
    guests: { available: [90, 80], active: [90, 200], error: [90, 330] },
    curves: {
      'wait call-back>deploy failed': { bend: 200 },
      'wait call-back>deploying': { bend: 32, at: 0.6 },
      'deploy failed>deploying': { bend: 50, at: 0.56 },
    },
  },
  {
    title: 'Rescue',
    x: LEFT,
    y: 896,
    width: HALF,
    height: 440,
    own: {
      rescuing: [320, 90],
      'rescue wait': [600, 90],
      'rescue failed': [600, 240],
      unrescuing: [320, 390],
      'unrescue failed': [235, 240],
    },
    guests: { active: [90, 330], rescue: [420, 265], 'service failed': [90, 90] },
    curves: {
      'active>rescuing': { bend: 90, at: 0.42 },
      'rescue failed>unrescuing': { bend: 80 },
      'rescue failed>rescuing': { bend: 40, at: 0.42 },
      'rescue>unrescuing': { bend: 10, at: 0.5 },
    },
  },
  {
    title: 'Service',
    x: RIGHT,
    y: 896,
    width: HALF,
    height: 440,
    own: { servicing: [290, 235], 'service wait': [500, 85], 'service hold': [500, 235], 'service failed': [500, 390] },
    guests: { active: [85, 235] },
    curves: {
      'service wait>service failed': { bend: 262, at: 0.36 },
      'service wait>servicing': { bend: 36, at: 0.6 },
      'service failed>servicing': { bend: 40, at: 0.56 },
      'service failed>service wait': { bend: -176, at: 0.42 },
      'service failed>active': { bend: 80, at: 0.5 },
    },
  },
  {
    title: 'Tear-down',
    x: LEFT,
    y: 1356,
    width: RIGHT + HALF - LEFT,
    height: 346,
    own: { deleting: [698, 200] },
    guests: {
      active: [90, 90],
      rescue: [242, 90],
      'wait call-back': [394, 90],
      'deploy failed': [546, 90],
      'rescue wait': [698, 90],
      'rescue failed': [850, 90],
      'unrescue failed': [1002, 90],
      'service wait': [1154, 90],
      'service failed': [1306, 90],
      error: [698, 306],
    },
    curves: {
      'active>deleting': { bend: -40, at: 0.3 },
      'rescue>deleting': { bend: -24, at: 0.32 },
      'wait call-back>deleting': { at: 0.36 },
      'deploy failed>deleting': { at: 0.4 },
      'rescue wait>deleting': { at: 0.45 },
      'rescue failed>deleting': { at: 0.4 },
      'unrescue failed>deleting': { at: 0.36 },
      'service wait>deleting': { bend: 24, at: 0.32 },
      'service failed>deleting': { bend: 40, at: 0.3 },
    },
  },
];
