// The README and the test of an application that was made from a v4 project.

import type { Choices } from '../choices.ts'
import { program } from '../project/container.ts'
import type { Report } from './report.ts'

/** A test that needs to know nothing of the project. It is the same in both languages. */
export const projectTest = `// Tests of the application on a database in memory: \`npm test\` runs them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestApp } from '@plinth/testing'

const app = await createTestApp({ dir: fileURLToPath(new URL('..', import.meta.url)) })
after(() => app.close())

for (const { uid } of app.kernel.contentTypes.values().filter(type => type.uid.startsWith('api::') && type.kind !== 'component'))
  test(\`\${uid} is read\`, async () => {
    assert.equal(await app.kernel.query(uid).count(), 0)
  })
`

const items = (lines: readonly string[]) => lines.map(one => `- ${one}\n`).join('')

const shutText = `## Shut

Code of the v4 project stood before or in place of these actions. It is not here, so they answer 403. To open one, write its
rule again, by \`kernel.actions.set\` in \`src/index\`, then make its line below \`v4.config.unguarded\` of \`config/plugins\` code.

`

export const projectReadme = ({ name, database }: Choices, { left, shut, stricter, production }: Report) => `# ${name}

This application was made from a Strapi v4 project. It has the schemas of the project as they were, and its settings
translated.

\`\`\`sh
npm install
npx plinth doctor             # what Plinth serves, ignores and finds different
npm run migrate -- plan       # what would change in the database
npm run dev
npm test
\`\`\`

${
  database === 'sqlite'
    ? 'The database of the project was not copied. Copy its file to the same path in this folder before the first start, and the\nfiles of `public/uploads` too.'
    : '`.env` has the address of the database of the project. Back it up before the first start. Copy the files of\n`public/uploads` too.'
}

## Not taken along

${items(left)}
${shut.length === 0 ? '' : `${shutText}${items(shut)}\n`}## Stricter than v4

The application keeps to these limits and rules where v4 does not. Where there is a setting that gives the answer of v4, it is
named.

${items(stricter)}
## In production

${production.length === 0 ? '' : `${items(production)}\n`}
In production, \`node ${program} migrate apply\` is a step of each release, before its first start.
\`docker build\` needs \`package-lock.json\`, which \`npm install\` writes.
`
