/** The fuzzer: requests out of the description of the API, good and bad, and a judge over what is answered. */
export { runCampaign, type CampaignOptions, type CampaignResult, type Finding } from './campaign';
export { fuzzedStack, type FuzzedStack } from './fuzzed-stack';
