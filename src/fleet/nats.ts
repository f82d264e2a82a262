// What is used of the NATS library. In the built modules an import() of a CommonJS package has no names; one of this file has.
export {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
export { Kvm } from '@nats-io/kv';
export { Svcm } from '@nats-io/services';
export { connect, credsAuthenticator, headers, nkeyAuthenticator } from '@nats-io/transport-node';
