import { type DynamicModule, Module } from '@nestjs/common';
import type { Services } from '../http';
import { ApiServer } from '../server';
import { ApiController } from './api.controller';

@Module({})
export class ApiModule {
  static with(services: Services): DynamicModule {
    return {
      module: ApiModule,
      controllers: [ApiController],
      providers: [{ provide: ApiServer, useFactory: () => new ApiServer(services) }],
    };
  }
}
