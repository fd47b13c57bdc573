/** Maximum processor time of the server for one operation, in milliseconds. */
export const aims: Readonly<Record<string, number>> = {
  get: 0.3,
  "list 10,000 pods, JSON": 180,
  "list, protobuf": 100,
  "list, Table": 120,
  "list, JSON, gzip": 700,
  "list in pages of 500, whole walk": 250,
  "list by label, 1 %": 3,
  "create pod": 0.8,
  "create ConfigMap": 0.8,
  "update (get and put)": 1.4,
  "merge patch": 0.9,
  "apply ConfigMap": 1,
  "apply Deployment": 2,
  "watch, 100 watchers, per write": 1.5,
  "watch, 500 watchers, per write": 4,
};
