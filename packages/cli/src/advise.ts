// `plinth advise`: names the indexes that the lists of an application lack, from what its processes have counted.

import type { Report } from '@plinth/advice/report'
import { defineCommand } from '#citty'
import { loadReports } from './advice-package.ts'
import { dirOption, withKernel } from './open.ts'
import { withExamples } from './usage.ts'

export const advise = withExamples(
  defineCommand({
    meta: {
      name: 'advise',
      description: 'name the indexes that lists lack, from what `plinth dev` or the plugin advice has counted',
    },
    args: { dir: dirOption, json: { type: 'boolean', description: 'print JSON' } },
    async run({ args }) {
      const { reportOf, ...texts } = await loadReports('plinth advise')
      await withKernel(args.dir, async kernel => {
        const report = await reportOf(kernel)
        console.log(args.json ? JSON.stringify(report, null, 2) : reportText(report, texts))
      })
    },
  }),
  ['plinth advise          # the costliest list first; changes nothing', 'plinth advise --json'],
)

const nothing =
  'Nothing has been counted. `plinth dev` counts the lists that sort or filter, and so does each server with `advice: true` in config/plugins.'

type Texts = Pick<Awaited<ReturnType<typeof loadReports>>, 'adviceText' | 'settingText'>

function reportText(report: Report | null, { adviceText, settingText }: Texts): string {
  if (report === null) return nothing
  const { advice, requests, firstAt, lastAt } = report
  const time = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`
  const lists =
    requests === 1
      ? 'One list that sorts or filters was'
      : `${requests.toLocaleString('en-US')} lists that sort or filter were`
  const counted = `${lists} counted from ${time(firstAt)} to ${time(lastAt)} (UTC)`
  if (advice.length === 0) return `No list lacks an index. ${counted}.`
  return [
    ...advice.map(adviceText),
    '',
    'The setting for config/database, which changes no schema file:',
    '',
    settingText(advice),
    '',
    'A server makes these indexes after its next start, while it serves, and so does `plinth migrate apply`.',
    `${counted}.`,
  ].join('\n')
}
