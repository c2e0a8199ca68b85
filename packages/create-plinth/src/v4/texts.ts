// The README and the test of an application that was made from a v4 project.

import type { Choices } from '../choices.ts'
import { program } from '../project/container.ts'

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

/** `left`: what of the project is not taken along. */
export const projectReadme = ({ name, database }: Choices, left: readonly string[]) => `# ${name}

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

${left.map(one => `- ${one}\n`).join('')}
## In production

In production, \`node ${program} migrate apply\` is a step of each release, before its first start.
\`docker build\` needs \`package-lock.json\`, which \`npm install\` writes.
`
