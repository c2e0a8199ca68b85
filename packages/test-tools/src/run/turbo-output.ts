// Turns the output of turbo into what is worth reading: lines of tests at once, those of types and lint if they fail. It
// must not know what the lines of the tests say.

/** A line of a task: the package, the task, and what it printed. */
const taskLine = /^(\S+?):(types|lint|test): ?(.*)$/

const failedTask = /^(\S+?)#(types|lint|test):\s+ERROR/

/** The lines that turbo and pnpm print around the output of a task. */
const noise = /^(?:cache (?:miss|hit|bypass)|> |\s*$| ?ELIFECYCLE)/

export class TurboOutput {
  readonly #print: (line: string) => void
  readonly #linesByTask = new Map<string, string[]>()
  #rest = ''

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  /** Takes the next part of the output. */
  read(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#readLine(line)
  }

  /** Takes the end of the output. */
  end(): void {
    if (this.#rest !== '') this.#readLine(this.#rest)
  }

  #readLine(line: string): void {
    const [, name, task, text = ''] = taskLine.exec(line) ?? []
    if (name !== undefined) {
      if (text.startsWith('cache hit') && task === 'test') this.#print(`${name}: not changed since its tests passed`)
      else if (noise.test(text)) return
      else if (task === 'test') this.#print(text)
      else this.#keep(`${name}#${task}`, text)
      return
    }
    const [, failedName, failed] = failedTask.exec(line) ?? []
    if (failed === 'types' || failed === 'lint') {
      this.#print(`${failedName}: ${failed} failed`)
      for (const one of this.#linesByTask.get(`${failedName}#${failed}`) ?? []) this.#print(`  ${one}`)
    } else if (/ERROR|Failed:/.test(line) && failed === undefined) this.#print(line.trim())
  }

  #keep(task: string, text: string): void {
    const lines = this.#linesByTask.get(task)
    if (lines === undefined) this.#linesByTask.set(task, [text])
    else lines.push(text)
  }
}
