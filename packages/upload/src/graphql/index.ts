// Extends GraphQL, if its plugin is enabled: the type `Upload`, and the mutations of files (B-9.79,
// B-9.87). The generated mutations of files stay; they change what is said about a file, and remove it.

import type { Extension, ExtensionService, GraphQLResolveInfo, GraphqlContext } from '@plinth/graphql'
import { type Context, NotFoundError, parseId, ValidationError, withRights } from '@plinth/kernel'
import { parseInfo } from '../file-info.ts'
import { findTarget, linkTo } from '../linking.ts'
import { place } from '../place.ts'
import type { UploadTools } from '../tools.ts'
import { fileActions, fileUid } from '../types.ts'
import { UploadedFile } from './received.ts'

interface UploadArguments {
  readonly ref?: string | null
  readonly refId?: string | null
  readonly field?: string | null
  readonly info?: Readonly<Record<string, unknown>> | null
}

/** Registers everything with the service of the plugin graphql. */
export function extendGraphql(extension: ExtensionService, tools: UploadTools): void {
  extension.use(({ graphql, schema, typeName }): Extension => {
    const name = typeName(fileUid)
    // Without generated operations there are none of plugins either (B-9.16).
    if (name === null || Object.keys(schema.getQueryType()?.getFields() ?? {}).length === 0) return {}
    const invalid = (message: string) => new graphql.GraphQLError(message)
    return {
      typeDefs: typeDefsFor(name),
      resolvers: {
        Upload: {
          serialize() {
            throw invalid('Upload serialization unsupported.')
          },
          parseValue(value: unknown) {
            if (value instanceof UploadedFile) return value
            throw invalid('Upload value invalid.')
          },
          parseLiteral() {
            throw invalid('Upload literal unsupported.')
          },
        },
        Mutation: resolversOf(tools),
      },
      resolversConfig: {
        'Mutation.upload': { action: fileActions.create },
        'Mutation.multipleUpload': { action: fileActions.create },
        'Mutation.updateFileInfo': { action: fileActions.update },
        'Mutation.removeFile': { action: fileActions.delete },
      },
    }
  })
}

const typeDefsFor = (file: string) => `
  "The \`Upload\` scalar type represents a file upload."
  scalar Upload
  input FileInfoInput { name: String  alternativeText: String  caption: String }
  extend type Mutation {
    upload(refId: ID, ref: String, field: String, info: FileInfoInput, file: Upload!): ${file}EntityResponse!
    multipleUpload(refId: ID, ref: String, field: String, files: [Upload]!): [${file}EntityResponse]!
    updateFileInfo(id: ID!, info: FileInfoInput): ${file}EntityResponse!
    removeFile(id: ID!): ${file}EntityResponse
  }
`

/** The caller, who may see the files of its own mutation. */
const seeing = (caller: Context) => withRights(caller, [fileActions.findOne])

function resolversOf(tools: UploadTools) {
  return {
    upload: async (
      _source: unknown,
      { file, ...args }: UploadArguments & { readonly file: UploadedFile },
      request: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => (await uploadAll(tools, [file], args, { request, info }))[0],
    multipleUpload: (
      _source: unknown,
      { files, ...args }: UploadArguments & { readonly files: readonly (UploadedFile | null)[] },
      request: GraphqlContext,
      info: GraphQLResolveInfo,
    ) =>
      uploadAll(
        tools,
        files.filter(one => one !== null),
        args,
        { request, info },
      ),
    updateFileInfo: async (
      _source: unknown,
      args: { readonly id: string } & UploadArguments,
      { caller, responseOf }: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const response = responseOf(info)
      response.check(seeing(caller))
      const id = parseId(args.id)
      if (id === null) throw new NotFoundError('Entity not found')
      await tools.files.describe(id, parseInfo(args.info ?? {}), caller)
      return response.read(id, seeing(caller))
    },
    removeFile: async (
      _source: unknown,
      args: { readonly id: string },
      { caller, responseOf }: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => {
      const response = responseOf(info)
      const answer = response.answer('delete', caller)
      const id = parseId(args.id)
      if (id === null) return null
      try {
        return response.show(await tools.kernel.writer.delete({ uid: fileUid, id, answer, context: caller }))
      } catch (error) {
        if (error instanceof NotFoundError) return null
        throw error
      }
    },
  }
}

/** Stores files, and shows their records. The selection is checked before, so that a wrong one stores nothing. */
async function uploadAll(
  tools: UploadTools,
  files: readonly UploadedFile[],
  args: UploadArguments,
  { request, info }: { readonly request: GraphqlContext; readonly info: GraphQLResolveInfo },
): Promise<unknown[]> {
  const { kernel, intake } = tools
  const { caller, responseOf } = request
  responseOf(info).check(seeing(caller))
  const [first] = files
  if (first === undefined) throw new ValidationError('Files are empty')
  const { signal } = first
  const targetPlace = place(args)
  const target = targetPlace === null ? null : await findTarget(kernel, targetPlace, caller)
  const fileInfo = parseInfo(args.info ?? {})
  const drafts = []
  for (const file of files.map(one => one.take()))
    drafts.push({ file: await intake.inspect(file, signal), info: fileInfo })
  const ids = await tools.files.store(drafts, { context: caller, signal }, async records => {
    const fileIds = records.map(one => one.id)
    if (target !== null) await linkTo(kernel, target, fileIds, caller)
    return fileIds
  })
  return Promise.all(ids.map(id => responseOf(info).read(id, seeing(caller))))
}
