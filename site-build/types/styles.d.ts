/** A style sheet that a bundled module imports: its text. */
declare module "*.css" {
  const text: string;
  export default text;
}
