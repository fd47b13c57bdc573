export interface Preconditions {
  uid?: string;
}
