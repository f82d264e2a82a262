/**
 * Replaces the `_shims` of the MCP package in our bundle (scripts/build.mjs). The original compiles a schema validator
 * of 200 kB at every start to check answers of a user. Such an answer is a single text, which is checked here.
 */
export { default as process } from 'node:process';

interface Schema {
  properties?: Record<string, { type?: unknown }>;
  required?: string[];
}

type Checked =
  | { valid: true; data: unknown; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

export class DefaultJsonSchemaValidator {
  getValidator({ properties = {}, required = [] }: Schema): (content: unknown) => Checked {
    return (content) => {
      const fields = (content ?? {}) as Record<string, unknown>;
      const isWrong = (name: string) =>
        fields[name] === undefined
          ? required.includes(name)
          : properties[name]?.type === 'string' && typeof fields[name] !== 'string';
      const wrong = [...new Set([...Object.keys(properties), ...required])].find(isWrong);
      if (wrong === undefined) return { valid: true, data: content, errorMessage: undefined };
      return { valid: false, data: undefined, errorMessage: `${wrong} must be a string` };
    };
  }
}
