import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DeadlineScheduler } from '@lib/usecases/expire-deadlines';
import type { DeadlineSchedulerDeps } from '@lib/usecases/expire-deadlines';

export interface Scheduler {
  /** True while the open deadlines can be read. */
  ready(): boolean;
  stop(): Promise<void>;
}

/** Wires the deadline scheduler; Nest carries its life. */
export async function startScheduler(deps: DeadlineSchedulerDeps): Promise<Scheduler> {
  class SchedulerModule {}
  const useFactory = (): DeadlineScheduler => new DeadlineScheduler(deps);
  Module({ providers: [{ provide: DeadlineScheduler, useFactory }] })(SchedulerModule);
  const app = await NestFactory.createApplicationContext(SchedulerModule, { logger: false });
  const scheduler = app.get(DeadlineScheduler);
  await scheduler.start();
  deps.logger.info({ logId: deps.logId }, 'the scheduler watches the open deadlines');
  return {
    ready: () => scheduler.ready(),
    async stop() {
      await scheduler.stop();
      await app.close();
    },
  };
}
