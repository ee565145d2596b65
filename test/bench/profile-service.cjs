/** Loaded into each service by `npm run bench -- --profile FOLDER`: samples it from its start and writes at its end. */
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');

const service = process.argv[3] ?? process.argv[2] ?? 'program';
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.once('exit', () => {
  session.post('Profiler.stop', (error, result) => {
    if (error) return;
    const file = join(process.env.BENCH_PROFILE_FOLDER, `${service}-${process.pid}.cpuprofile`);
    writeFileSync(file, JSON.stringify(result.profile));
  });
});
