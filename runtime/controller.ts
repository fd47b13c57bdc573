/** Public API of `typeplane/controller`. It loads no modules of the server. */
export type { Cache, Cached } from "./controller/cache.ts";
export {
  type Controller,
  ControllerBuilder,
  type ControllerOptions,
  controller,
  generationChanged,
  type HandlerContext,
  type MapTo,
  type Reconcile,
  type ReconcileContext,
  type Result,
  type SourceOptions,
} from "./controller/controller.ts";
export type { Duration } from "./controller/duration.ts";
export type { HealthCheck, Listen } from "./controller/endpoints.ts";
export { OwnerError, StaleCacheError, TerminalError } from "./controller/errors.ts";
export type { EventOptions, Events } from "./controller/events.ts";
export { type LeaderElectionOptions, LeadershipLostError } from "./controller/leader-election.ts";
export { Manager, type ManagerOptions, manager } from "./controller/manager.ts";
export type { Permission, Verb } from "./controller/permissions.ts";
export type { RateLimits } from "./controller/rate-limiter.ts";
