import type { Handlers } from '../router';
import { indicatorHandlers } from './indicators';
import { mediaHandlers } from './media';
import { statesHandlers } from './states';
import { vendorHandlers } from './vendor';

export { methodOf, passthru } from './vendor';

/** What nodes are asked beside power, boot device and work. */
export const managementHandlers: Handlers = {
  ...statesHandlers,
  ...indicatorHandlers,
  ...mediaHandlers,
  ...vendorHandlers,
};
