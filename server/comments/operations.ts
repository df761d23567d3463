import { downloadCommentFile } from './comment-files.ts'
import { createComment, deleteComment, listComments, listCommentVersions, updateComment } from './comments.ts'
import { listMentionable } from './mentions.ts'

export const commentOperations = {
  listComments,
  createComment,
  updateComment,
  deleteComment,
  listCommentVersions,
  listMentionable,
  downloadCommentFile,
}
