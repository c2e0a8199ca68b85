// Describes the routes of accounts for documents of the API, with the names of v4's documentation (B-12.4).

import type {
  DescribedBody,
  DescribedOperation,
  DescribedParameter,
  JsonSchema,
  SchemaTools,
} from '@plinth/server/transport'
import { describeRole } from '../../roles/described.ts'
import type { AuthAction } from '../tools.ts'
import { userUid } from '../user-type.ts'

const authTag = 'Users-Permissions - Auth'
const usersTag = 'Users-Permissions - Users & Roles'

/** A user as it is answered, whose role is that of the routes of roles. */
export function userSchema(tools: SchemaTools): JsonSchema {
  describeRole(tools)
  return tools.entry(userUid, 'Users-Permissions-User')
}

const text: JsonSchema = { type: 'string' }
const email: JsonSchema = { type: 'string', format: 'email' }
const secret: JsonSchema = { type: 'string', format: 'password' }

const jsonOf = (properties: Readonly<Record<string, JsonSchema>>) => ({
  content: { 'application/json': { type: 'object', required: Object.keys(properties), properties } },
})

/** Whoever logs in receives a token, unless the user is blocked or has yet to confirm the address. */
function loginOf(tools: SchemaTools): JsonSchema {
  const user = { anyOf: [userSchema(tools), { type: 'null' }] }
  return tools.named('Users-Permissions-UserRegistration', {
    type: 'object',
    required: ['user'],
    properties: { jwt: { ...text, description: 'The token; missing if no request with it would be accepted' }, user },
  })
}

const query = (name: string, description: string, required = true): DescribedParameter => ({
  name,
  in: 'query',
  description,
  required,
  schema: text,
})

const provider: DescribedParameter = {
  name: 'provider',
  in: 'path',
  required: true,
  description: 'The name of the provider, such as `github`',
  schema: text,
}

type Describe = (tools: SchemaTools) => DescribedOperation

const answering = (summary: string, body: DescribedBody): Describe => {
  return tools => ({ tag: authTag, summary, body, answers: { 200: { description: 'OK', schema: loginOf(tools) } } })
}

const redirect = { 302: { description: 'The browser is sent on' } }

/** The routes of actions that have one of their own. */
export const describeAuth: Readonly<Record<Exclude<AuthAction, 'connect'>, Describe>> = {
  callback: answering('Log in', jsonOf({ identifier: { ...text, description: 'Name or address' }, password: secret })),
  register: answering('Register', jsonOf({ username: text, email, password: secret })),
  resetPassword: answering(
    'Set a new password by a code that was mailed',
    jsonOf({ code: text, password: secret, passwordConfirmation: secret }),
  ),
  changePassword: answering(
    'Change the own password',
    jsonOf({ currentPassword: secret, password: secret, passwordConfirmation: secret }),
  ),
  forgotPassword: () => ({
    tag: authTag,
    summary: 'Have a code for a new password mailed',
    description: 'The answer does not tell whether there is such a user.',
    body: jsonOf({ email }),
    answers: {
      200: {
        description: 'OK',
        schema: { type: 'object', required: ['ok'], properties: { ok: { const: true } } },
      },
    },
  }),
  sendEmailConfirmation: () => ({
    tag: authTag,
    summary: 'Have a code for the confirmation of an address mailed',
    body: jsonOf({ email }),
    answers: {
      200: {
        description: 'OK',
        schema: { type: 'object', required: ['email', 'sent'], properties: { email, sent: { const: true } } },
      },
    },
  }),
  emailConfirmation: () => ({
    tag: authTag,
    summary: 'Confirm an address by a code that was mailed',
    parameters: [query('confirmation', 'The code')],
    answers: redirect,
  }),
}

/** GET /connect/:provider */
export const describeConnect: Describe = () => ({
  tag: authTag,
  summary: 'Log in by a third party: goes to the provider',
  parameters: [provider, query('callback', 'The page that the browser returns to', false)],
  answers: redirect,
})

/** GET /connect/:provider/callback */
export const describeComeBack: Describe = () => ({
  tag: authTag,
  summary: 'Log in by a third party: the provider sends the browser here',
  parameters: [
    provider,
    query('code', 'The code of the provider', false),
    query('state', 'The state of the login', false),
  ],
  answers: redirect,
})

/** GET /auth/:provider/callback */
export const describeExchange: Describe = tools => ({
  tag: authTag,
  summary: 'Log in by a third party: a token for the code of the redirect to the front end',
  parameters: [provider, query('access_token', 'The code')],
  answers: { 200: { description: 'OK', schema: loginOf(tools) } },
})

const idInPath: DescribedParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

function parametersOf(tools: SchemaTools, names: readonly string[]): readonly DescribedParameter[] {
  return tools.parameters(userUid, 'find').filter(({ name }) => names.includes(name))
}

const selectors = ['fields', 'populate']
const none = { 204: { description: 'There is no such user' } }

const userAnswer = (tools: SchemaTools, status: 200 | 201 = 200) => ({
  [status]: { description: 'OK', schema: userSchema(tools) },
})

/** The routes of users, by what they do. Bodies and answers have no outer `data`. */
export const describeUsers = {
  me: tools => ({
    tag: usersTag,
    summary: 'Read the own user',
    parameters: parametersOf(tools, selectors),
    answers: userAnswer(tools),
  }),
  count: () => ({
    tag: usersTag,
    summary: 'Count the users',
    description: 'The keys of the query string are filters.',
    answers: { 200: { description: 'OK', schema: { type: 'integer' } } },
  }),
  find: tools => ({
    tag: usersTag,
    summary: 'List the users',
    parameters: [
      ...parametersOf(tools, [...selectors, 'filters', 'sort', '_q']),
      ...['start', 'limit'].map(name => ({ name, in: 'query' as const, schema: { type: 'integer' } })),
    ],
    answers: { 200: { description: 'OK', schema: { type: 'array', items: userSchema(tools) } } },
  }),
  findOne: tools => ({
    tag: usersTag,
    summary: 'Read one of the users',
    parameters: [idInPath, ...parametersOf(tools, selectors)],
    answers: { ...userAnswer(tools), ...none },
  }),
  create: tools => ({
    tag: usersTag,
    summary: 'Create one of the users',
    body: { content: { 'application/json': inputOf(tools, ['username', 'email', 'password', 'role']) } },
    answers: userAnswer(tools, 201),
  }),
  update: tools => ({
    tag: usersTag,
    summary: 'Update one of the users',
    parameters: [idInPath],
    body: { content: { 'application/json': inputOf(tools, []) } },
    answers: { ...userAnswer(tools), ...none },
  }),
  delete: tools => ({
    tag: usersTag,
    summary: 'Delete one of the users',
    parameters: [idInPath],
    answers: { ...userAnswer(tools), ...none },
  }),
} satisfies Readonly<Record<string, Describe>>

/** A user as it is sent: the attributes, of which these are needed. */
function inputOf(tools: SchemaTools, required: readonly string[]): JsonSchema {
  const data = tools.data(userUid, 'update')
  return required.length === 0 ? data : { allOf: [data, { type: 'object', required }] }
}
