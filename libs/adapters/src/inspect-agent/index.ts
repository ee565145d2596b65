export { agentInterface } from './agent-interface';
export type { AgentInterfaceDeps } from './agent-interface';
