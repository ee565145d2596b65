import { type DynamicModule, Module } from '@nestjs/common';
import { SimulatedInspector } from '@lib/usecases/simulated-inspector';
import { DiscoveryController } from './discovery.controller';
import { IntrospectionController } from './introspection.controller';
import { RulesController } from './rules.controller';
import { READINESS, SimulatorController } from './simulator.controller';

@Module({})
export class InspectorModule {
  static around(inspector: SimulatedInspector, isReady: () => boolean): DynamicModule {
    return {
      module: InspectorModule,
      controllers: [DiscoveryController, IntrospectionController, RulesController, SimulatorController],
      providers: [
        { provide: SimulatedInspector, useValue: inspector },
        { provide: READINESS, useValue: isReady },
      ],
    };
  }
}
