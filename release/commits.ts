// The form of commit messages, as CONTRIBUTING.md describes it, and the commits that break it.

import { execFileSync } from 'node:child_process'

const types = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'build']
const maxLength = 72

/** What is wrong with the subject of a commit; null if nothing is. */
export function faultOfSubject(subject: string): string | null {
  if (/(?:^|[\s'"(])\/(?:home|root|tmp|work|var|opt|mnt|srv|Users)\//.test(subject)) return 'has a path of a machine'
  if (/^(?:Merge|Revert) /.test(subject)) return null
  const [, type] = /^([a-z-]+)(?:\([a-z0-9-]+\))?: \S/.exec(subject) ?? []
  if (type === undefined) return 'must have the form "type(scope): subject"'
  if (!types.includes(type)) return `has the type "${type}"; the types are ${types.join(', ')}`
  return subject.length > maxLength ? `has ${subject.length} characters; at most ${maxLength} are allowed` : null
}

/**
 * What is wrong with the subjects of the commits since this file was added, which is when the check began. Empty where
 * there is no history, as in an archive or a shallow clone.
 */
export function faultsOfCommits(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const first = git('log', '--diff-filter=A', '--format=%H', '--', 'release/commits.ts').trim().split('\n').at(-1)!
    if (first === '') return []
    const lines = git('log', '--format=%h %s', `${first}..HEAD`).split('\n').filter(Boolean)
    return lines.flatMap(line => {
      const fault = faultOfSubject(line.slice(line.indexOf(' ') + 1))
      return fault === null ? [] : [`The subject of the commit ${line} ${fault}.`]
    })
  } catch {
    return []
  }
}
