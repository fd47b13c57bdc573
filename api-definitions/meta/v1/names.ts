export interface GroupKind {
  group: string;
  kind: string;
}

export interface GroupResource {
  group: string;
  resource: string;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}
