/*
 * blas.c
 *		Products cut into short BLAS calls; the symmetric eigenproblem.
 *
 * A call packs both operands, so a piece should be near a cube: 256 x 256 x
 * 256 is exactly GL_GEMM_CALL.  The inner dimension is cut evenly first, the
 * rows and columns of c share what is left.
 */
#include "base/blas.h"

#include <cblas.h>

#define PIECE	((int64_t) 256)

extern void dsyevd_(const char *job, const char *triangle, const int *n,
					double *a, const int *a_stride, double *eigenvalues,
					double *work, const int *work_size, int *integers,
					const int *integers_size, int *info);
extern void dgesdd_(const char *job, const int *rows, const int *columns,
					double *matrix, const int *leading, double *singular,
					double *left, const int *left_leading, double *right,
					const int *right_leading, double *work,
					const int *work_size, int *integers, int *info);

/*
 * Another library of the process (numpy in PL/Python, say) may have brought a
 * threaded OpenBLAS under the same name.  A backend must not start threads,
 * so each call runs on one, and the count goes back to what it was.  Nothing
 * between the two can leave the function.
 */
static int
single_thread(void)
{
	int			threads = openblas_get_num_threads();

	if (threads != 1)
		openblas_set_num_threads(1);
	return threads;
}

static void
restore_threads(int threads)
{
	if (threads != 1)
		openblas_set_num_threads(threads);
}

static inline int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The sizes of one piece, none larger than the whole. */
typedef struct GemmPiece
{
	int64_t		m;
	int64_t		n;
	int64_t		k;
} GemmPiece;

static GemmPiece
choose_piece(int64_t m, int64_t n, int64_t k)
{
	GemmPiece	piece = {m, n, k};
	int64_t		room;

	/* the bound m n k <= GL_GEMM_CALL, tested without overflow */
	if (m == 0 || n == 0 || k == 0 ||
		(m <= GL_GEMM_CALL / n && m * n <= GL_GEMM_CALL / k))
		return piece;
	if (m > PIECE / 4 && n > PIECE / 4 && k > PIECE)
	{
		int64_t		cuts = (k + PIECE - 1) / PIECE;

		piece.k = (k + cuts - 1) / cuts;
	}
	else
		piece.k = smaller(k, GL_GEMM_CALL);
	room = GL_GEMM_CALL / piece.k;	/* m n of one piece */
	if (m <= n)
	{
		piece.m = smaller(m, PIECE);
		if (piece.m > room)
			piece.m = room;
		piece.n = smaller(n, room / piece.m);
	}
	else
	{
		piece.n = smaller(n, PIECE);
		if (piece.n > room)
			piece.n = room;
		piece.m = smaller(m, room / piece.n);
	}
	return piece;
}

GlStatus
gl_sgemm_transposed(GlHost *host, int64_t m, int64_t n, int64_t k,
					float alpha, const float *a, int64_t a_stride,
					const float *b, int64_t b_stride,
					float beta, float *c, int64_t c_stride)
{
	GemmPiece	piece = choose_piece(m, n, k);

	for (int64_t row = 0; row < m; row += piece.m)
		for (int64_t column = 0; column < n; column += piece.n)
			for (int64_t inner = 0; inner < k; inner += piece.k)
			{
				int64_t		rows = smaller(piece.m, m - row);
				int64_t		columns = smaller(piece.n, n - column);
				int64_t		inners = smaller(piece.k, k - inner);
				int			threads;

				/* a multiply-add of BLAS costs about a tenth of ours */
				GL_TRY(gl_work(host, rows * columns * inners / 8 + 1));
				threads = single_thread();
				cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans,
							(int) rows, (int) columns, (int) inners, alpha,
							a + row * a_stride + inner, (int) a_stride,
							b + column * b_stride + inner, (int) b_stride,
							inner == 0 ? beta : 1.0f,
							c + row * c_stride + column, (int) c_stride);
				restore_threads(threads);
			}
	return GL_OK;
}

GlStatus
gl_dgemm(GlHost *host, bool transpose_a, bool transpose_b,
		 int64_t m, int64_t n, int64_t k, double alpha,
		 const double *a, int64_t a_stride,
		 const double *b, int64_t b_stride,
		 double beta, double *c, int64_t c_stride)
{
	GemmPiece	piece = choose_piece(m, n, k);

	for (int64_t row = 0; row < m; row += piece.m)
		for (int64_t column = 0; column < n; column += piece.n)
			for (int64_t inner = 0; inner < k; inner += piece.k)
			{
				int64_t		rows = smaller(piece.m, m - row);
				int64_t		columns = smaller(piece.n, n - column);
				int64_t		inners = smaller(piece.k, k - inner);
				int			threads;

				GL_TRY(gl_work(host, rows * columns * inners / 4 + 1));
				threads = single_thread();
				cblas_dgemm(CblasRowMajor,
							transpose_a ? CblasTrans : CblasNoTrans,
							transpose_b ? CblasTrans : CblasNoTrans,
							(int) rows, (int) columns, (int) inners, alpha,
							transpose_a ? a + inner * a_stride + row :
							a + row * a_stride + inner, (int) a_stride,
							transpose_b ? b + column * b_stride + inner :
							b + inner * b_stride + column, (int) b_stride,
							inner == 0 ? beta : 1.0,
							c + row * c_stride + column, (int) c_stride);
				restore_threads(threads);
			}
	return GL_OK;
}

static GlStatus
require_small(GlHost *host, int32_t n)
{
	if (n > GL_EIGEN_LIMIT)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "an eigenproblem of %d rows is too large, "
					   "the limit is %d", (int) n, GL_EIGEN_LIMIT);
	return GL_OK;
}

GlStatus
gl_symmetric_eigen(GlHost *host, int32_t n, double *matrix,
				   double *eigenvalues)
{
	int			size = n;
	int			work_size;
	int			integers_size;
	int			info = 0;
	int			threads;
	double	   *work;
	int		   *integers;

	GL_TRY(require_small(host, n));
	if (n == 0)
		return GL_OK;
	/* the sizes LAPACK's manual asks for eigenvectors by divide and conquer */
	work_size = 1 + 6 * size + 2 * size * size;
	integers_size = 3 + 5 * size;
	GL_NEW(host, work, work_size);
	GL_NEW(host, integers, integers_size);
	GL_TRY(gl_work(host, (int64_t) n * n));

	/* column-major eigenvectors are the rows of our row-major matrix */
	threads = single_thread();
	dsyevd_("V", "U", &size, matrix, &size, eigenvalues, work, &work_size,
			integers, &integers_size, &info);
	restore_threads(threads);
	if (info != 0)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "the symmetric eigenproblem did not converge (%d)",
					   info);
	gl_release(host, integers);
	gl_release(host, work);
	return GL_OK;
}

GlStatus
gl_small_svd(GlHost *host, int32_t n, double *matrix, double *singular,
			 double *left, double *right)
{
	int			size = n;
	int			work_size;
	int			info = 0;
	int			threads;
	double	   *work;
	int		   *integers;

	GL_TRY(require_small(host, n));
	if (n == 0)
		return GL_OK;
	/* what LAPACK's manual asks for all vectors of a square matrix */
	work_size = 7 * size + 4 * size * size;
	GL_NEW(host, work, work_size);
	GL_NEW(host, integers, 8 * size);
	GL_TRY(gl_work(host, (int64_t) n * n));

	/* LAPACK sees the transpose, so left and right change places */
	threads = single_thread();
	dgesdd_("A", &size, &size, matrix, &size, singular, right, &size, left,
			&size, work, &work_size, integers, &info);
	restore_threads(threads);
	if (info != 0)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "the singular value decomposition did not converge (%d)",
					   info);
	gl_release(host, integers);
	gl_release(host, work);
	return GL_OK;
}
