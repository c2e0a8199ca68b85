// The README of a new application.

import type { Choices } from '../choices.ts'
import { program } from './container.ts'
import { makeEditor, studioAddress } from './studio.ts'

export function readme({ name, database, language, plugins }: Choices): string {
  const hasUsers = plugins.has('users-permissions')
  const commands = [
    '| command | what it does |',
    '| --- | --- |',
    '| `npm run dev` | serves the application, and restarts it when a file changes |',
    '| `npm test` | runs the tests, on a database in memory |',
    ...(language === 'ts' ? ['| `npm run types` | checks the types |'] : []),
    '| `npx plinth generate api book title:string` | writes a new content type |',
    '| `npm run migrate -- plan` | shows how the database differs from the schemas |',
    '| `npm start` | serves the application without restarts |',
  ]
  return `# ${name}

A content API, made with [Plinth](https://www.npmjs.com/package/@plinth/kernel). It needs Node 22.18 or later.

\`\`\`sh
npm install
npm run dev
\`\`\`
${database === 'sqlite' ? '' : '\nBefore the first start, make the database, and write its name and password into `.env`.\n'}
It answers at http://localhost:1337/api/articles${plugins.has('graphql') ? ', and GraphQL at http://localhost:1337/graphql' : ''}.
${plugins.has('graphql') ? subscriptions : ''}${plugins.has('studio') ? studio : ''}${hasUsers ? users : plugins.has('api-tokens') ? tokens : open}
${commands.join('\n')}

## Files

- \`config/\` has the settings, \`.env\` the secrets and addresses of this machine. \`.env\` is not in git; \`.env.example\` is.
- \`src/api/<api>/content-types/<name>/schema.json\` describes a content type.
- \`test/\` has the tests.
- \`.data/\` has ${database === 'sqlite' ? 'the database' : 'local files'}${database === 'sqlite' && plugins.has('upload') ? ' and uploaded files' : ''}. Neither git nor containers take it along.

## In production

A start in production changes no tables. \`migrate apply\` is a step of each release, before its first start:

\`\`\`sh
docker build -t ${name} .
docker run --rm --env-file .env.production -v ${name}:/app/.data ${name} node ${program} migrate apply
docker run -d --env-file .env.production -v ${name}:/app/.data -p 1337:1337 ${name}
\`\`\`

The build needs \`package-lock.json\`, which \`npm install\` writes; keep it in git. \`.env.production\` has the variables of
\`.env.example\` with values of their own, without \`HOST\` and \`PORT\`. \`GET /_health/ready\` answers 204 when requests can be sent.
On SIGTERM the server finishes the requests that it has, and ends. Without a container, do the same with
\`npm ci --omit=dev\` and \`NODE_ENV=production node ${program} start\`.
`
}

const subscriptions = `Clients of GraphQL are notified of changes if \`config/plugins\` has \`'graphql-subscriptions': true\`, after
\`npm install @plinth/graphql-subscriptions\`.
`

const studio = `
Editors work at ${studioAddress}. While the application runs, this makes the first one, and prints the password:

\`\`\`sh
${makeEditor}
\`\`\`

Users of the role \`author\` write articles, which editors publish.
`
const users = `
Everybody can read published articles and register; whoever has logged in can write articles. \`config/plugins\` has these rights:
change them before others can reach the server.

\`\`\`sh
curl http://localhost:1337/api/auth/local/register -H 'content-type: application/json' \\
  -d '{"username": "ada", "email": "ada@example.com", "password": "a long password"}'
\`\`\`
`
const tokens = `
A request needs a token: \`npx plinth token create site\` makes one, which reads.
`
const open = `
**There are no users: everybody who can reach the server can read and write everything.** So it listens on this machine only.
Add \`users-permissions\` before others can reach it.

\`\`\`sh
curl http://localhost:1337/api/articles -H 'content-type: application/json' -d '{"data": {"title": "First steps"}}'
\`\`\`
`
