/** An identity service that says whose a token is (contract: inspector-api.md §1, auth_strategy = keystone). */
export { type Identity, KeystoneAway, type KeystoneOptions, Keystone, TokenRefused } from './keystone';
