import { metrics } from "./metric-vocabulary.ts";

/** Metrics that are promised to somebody, and how firmly (section 9.2, item 9). */
export const serverMetrics = metrics({
  apiserver_admission_step_admission_duration_seconds: { stability: "STABLE", introduced: "1.9" },
  apiserver_audit_error_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_event_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_level_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_audit_requests_rejected_total: { stability: "ALPHA", introduced: "1.8" },
  apiserver_current_inflight_requests: { stability: "STABLE", introduced: "1.0" },
  apiserver_longrunning_requests: { stability: "STABLE", introduced: "1.15" },
  apiserver_request_duration_seconds: { stability: "STABLE", introduced: "1.15" },
  apiserver_request_total: { stability: "STABLE", introduced: "1.15" },
  apiserver_requested_deprecated_apis: { stability: "STABLE", introduced: "1.19" },
  apiserver_storage_events_received_total: { stability: "ALPHA", introduced: "1.28" },
  apiserver_storage_objects: { stability: "STABLE", introduced: "1.22", deprecated: "1.34" },
  apiserver_watch_cache_resource_version: { stability: "ALPHA", introduced: "1.30" },
  apiserver_watch_events_sizes: { stability: "ALPHA", introduced: "1.15" },
  apiserver_watch_events_total: { stability: "ALPHA", introduced: "1.15" },
  authenticated_user_requests: { stability: "ALPHA", introduced: "1.0" },
  authentication_attempts: { stability: "ALPHA", introduced: "1.15" },
  authorization_attempts_total: { stability: "ALPHA", introduced: "1.28" },
  declarative_validation_mismatch_total: { stability: "BETA", introduced: "1.33" },
  etcd_request_duration_seconds: { stability: "ALPHA", introduced: "1.1" },
  etcd_requests_total: { stability: "ALPHA", introduced: "1.27" },
  kubernetes_feature_enabled: { stability: "BETA", introduced: "1.26" },
});
