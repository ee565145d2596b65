/**
 * Arrows point down: apps -> usecases -> ports -> contracts -> domain, and apps -> adapters -> ports.
 * `npm run arrows` runs it; test/repository/arrows.spec.ts proves on a toy tree that every rule fires.
 * The tool refuses nested quantifiers in patterns, so they stay plain.
 */
const spec = '[.]spec[.]ts$';

/** What each library may import beside itself. */
const below = {
  contracts: ['domain'],
  ports: ['domain', 'contracts'],
  usecases: ['domain', 'contracts', 'ports'],
  adapters: ['domain', 'contracts', 'ports'],
  client: ['domain', 'contracts'],
  extension: ['domain', 'contracts', 'ports'],
  testing: ['domain', 'contracts', 'ports'],
};

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'domain-is-pure',
      'Decisions must replay anywhere: no package, no Node module.',
      { path: '^libs/domain/', pathNot: spec },
      { pathNot: '^libs/domain/' },
    ),
    ...Object.entries(below).map(([lib, floors]) =>
      rule(
        `${lib}-looks-down`,
        `${lib} may import ${floors.join(', ')} and nothing else of ours.`,
        { path: `^libs/${lib}/`, pathNot: spec },
        { path: '^(apps|libs|test)/', pathNot: `^libs/(${[lib, ...floors].join('|')})/` },
      ),
    ),
    rule(
      'nobody-imports-an-app',
      'Apps meet over the bus; only apps/ferrolog composes them, and test/whole where a spec needs all on one clock.',
      { path: '^(?:apps/([^/]+)|libs|test)/', pathNot: ['^apps/ferrolog/', '^test/whole/'] },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'compose-by-the-door',
      'Who composes the apps knows them by their index.ts.',
      { path: '^(apps/ferrolog|test/whole)/' },
      { path: '^apps/', pathNot: ['^apps/ferrolog/', '^apps/[^/]+/src/index[.]ts$'] },
    ),
    rule(
      'enter-by-the-door',
      'Import another library through an index.ts.',
      { path: '^(?:libs|apps|test)/([^/]+)/' },
      { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index[.]ts$', '^libs/[^/]+/src/[^/]+/index[.]ts$'] },
    ),
    rule(
      'framework-at-the-edge',
      'Nest, TypeORM and NATS live in apps and adapters, not even indirectly below.',
      { path: '^libs/(domain|contracts|ports|usecases)/', pathNot: spec },
      { path: 'node_modules/(@nestjs|typeorm|nats|@nats-io)/', reachable: true },
    ),
    rule(
      'testing-stays-in-tests',
      'What proves the product must not be part of it.',
      { path: '^(apps|libs)/', pathNot: [spec, '^libs/testing/'] },
      { path: '^libs/testing/' },
    ),
    rule('no-cycles', 'A cycle has no order in which to read it.', {}, { circular: true }),
    rule(
      'nothing-missing',
      'An import that cannot be resolved is drawn as no arrow at all.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
