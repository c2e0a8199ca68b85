// The setting `provider`: a name of which there is no module is refused, with what helps.

import { createKernel } from '@plinth/kernel'
import { temporary } from '@plinth/test-tools/fixtures'
import t from 'tap'
import upload from '../src/index.ts'

t.test('a provider that is not found', async t => {
  const dir = await temporary(t)
  const open = (provider: string) =>
    createKernel({
      dir,
      database: { client: 'sqlite', connection: { filename: ':memory:' } },
      plugins: { upload: { plugin: upload, config: { provider } } },
    })
  const hints = {
    ss3: ', did you mean "s3"?',
    aws_s3: ', did you mean "aws-s3"?',
    locl: ', did you mean "local"?',
    s3: ': npm install @plinth/upload-s3, or s3',
    cloudinary: ': npm install @plinth/upload-cloudinary, or cloudinary',
    '@no/such': ': npm install @no/such',
    './s4': '',
  }
  for (const [name, hint] of Object.entries(hints))
    await t.rejects(open(name), {
      code: 'PLINTH_CONFIG_INVALID',
      message: `config/plugins: upload.config.provider: "${name}" was not found${hint}`,
    })
  await t.rejects(open('aws-s3'), {
    message:
      'config/plugins: upload.config.provider: "aws-s3" is @plinth/upload-s3 here, which was not found: npm install @plinth/upload-s3',
  })
})
