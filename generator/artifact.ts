/** A file that an emitter generates: its path relative to the project root, with forward slashes, and its content. */
export interface Artifact {
  readonly path: string;
  readonly text: string;
}
