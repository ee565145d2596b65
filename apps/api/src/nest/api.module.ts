import { type DynamicModule, Module } from '@nestjs/common';
import { ApiServer } from '../server';
import { ApiController } from './api.controller';

@Module({})
export class ApiModule {
  static with(server: ApiServer): DynamicModule {
    return {
      module: ApiModule,
      controllers: [ApiController],
      providers: [{ provide: ApiServer, useValue: server }],
    };
  }
}
