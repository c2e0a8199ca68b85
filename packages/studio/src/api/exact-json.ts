// Reads and writes JSON without rounding its numbers: a decimal `1.10` and an integer of twenty digits stay what they are.
// Browsers without `context.source` of JSON.parse round as usual.

/** A number that a JavaScript number cannot hold as it was written. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    return rawJson?.(this.text) ?? Number(this.text)
  }
}

const { rawJSON: rawJson } = JSON as { readonly rawJSON?: (text: string) => unknown }

type Reviver = (this: unknown, name: string, value: unknown, context?: { readonly source?: string }) => unknown

const keepNumbers: Reviver = (_name, value, context) => {
  if (typeof value !== 'number' || context?.source === undefined) return value
  return String(value) === context.source ? value : new ExactNumber(context.source)
}

/** Reads JSON; numbers that would change become `ExactNumber`. Throws SyntaxError for what is not JSON. */
export const parseExactly = (text: string): unknown => JSON.parse(text, keepNumbers as never)
