export { startConductor } from '@app/conductor';
