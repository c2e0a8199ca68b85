// Splits the text of a shell into its commands and their words. Runs nothing, and knows no program.

/** A command as a shell reads it. */
export interface ShellCommand {
  /** The program and its words, without quotes. Variables and inner commands stand as they are written. */
  readonly words: readonly string[]
  /** Variables that are set in front of the program, or for the shell if there is no program. */
  readonly variables: Readonly<Record<string, string>>
  /** The line in which it begins, counted from 0. */
  readonly line: number
  /** The comment behind it in its last line. */
  readonly comment: string
}

const token =
  /(?<gap>(?:[ \t]|\\\n)+)|(?<end>\n|;|&&?|\|\|?)|'(?<raw>[^']*)'|"(?<quoted>(?:[^"\\]|\\[\s\S])*)"|(?<open>\$\()|(?<close>\))|(?<text>\\[\s\S]|[^'"])/y

const redirection = /\d*(?:>>?|<)(?:&\d|[ \t]*[^\s;&|]+)/y

/** Reads a text to its end, or to the bracket that closes an inner command. */
class ShellReader {
  readonly commands: ShellCommand[] = []
  readonly #text: string
  #at = 0
  #words: string[] = []
  #variables: Record<string, string> = {}
  #word: string | null = null
  #start = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads commands, and returns the place behind the last one. */
  read(from = 0): number {
    this.#at = this.#start = from
    while (this.#at < this.#text.length) if (this.#step()) break
    this.#endCommand('')
    return this.#at
  }

  /** Reads one token. Returns whether it closes an inner command. */
  #step(): boolean {
    if (this.#word === null && this.#text[this.#at] === '#') {
      this.#endCommand(
        this.#match(/#[^\n]*/y)[0]
          .slice(1)
          .trim(),
      )
      return false
    }
    if (this.#word === null && this.#skip(redirection)) return false
    const { gap, end, raw, quoted, open, close, text } = this.#match(token).groups!
    if (gap !== undefined) this.#endWord()
    else if (end !== undefined) this.#endCommand('')
    else if (open !== undefined) this.#readInner()
    else if (close !== undefined) return true
    else this.#add(raw ?? quoted?.replaceAll(/\\(["\\$`])/g, '$1') ?? text!.replace(/^\\/, ''))
    return false
  }

  #readInner(): void {
    const inner = new ShellReader(this.#text)
    const begin = this.#at
    this.#at = inner.read(begin)
    this.commands.push(...inner.commands)
    this.#add(`$(${this.#text.slice(begin, this.#at)}`)
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) throw new Error(`A quote is not closed: ${this.#text.slice(this.#at)}`)
    this.#at = pattern.lastIndex
    return match
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #add(text: string): void {
    if (this.#word === null && this.#words.length === 0 && Object.keys(this.#variables).length === 0)
      this.#start = this.#at - 1
    this.#word = (this.#word ?? '') + text
  }

  #endWord(): void {
    if (this.#word === null) return
    const [, name, value] = (this.#words.length === 0 && /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(this.#word)) || []
    if (name === undefined) this.#words.push(this.#word)
    else this.#variables[name] = value!
    this.#word = null
  }

  #endCommand(comment: string): void {
    this.#endWord()
    const variables = this.#variables
    const line = this.#text.slice(0, this.#start).split('\n').length - 1
    if (this.#words.length > 0 || Object.keys(variables).length > 0)
      this.commands.push({ words: this.#words, variables, line, comment })
    this.#words = []
    this.#variables = {}
  }
}

/** Returns the commands of a text in the order in which a shell runs them: those of `$(…)` come before the one around them. */
export function commandsIn(text: string): ShellCommand[] {
  const reader = new ShellReader(text)
  reader.read()
  return reader.commands
}
