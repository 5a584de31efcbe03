# The attacks on released files: they need tables and no server.
tacit_library(attack_files
  SOURCES
    dimension/dimension.cc
    intersection/census.cc intersection/intersection.cc intersection/private_releases.cc
    intersection/published.cc intersection/report.cc intersection/two_files.cc
    linkage/city.cc linkage/coarsen.cc linkage/linkage.cc linkage/report.cc linkage/sparse.cc
    linkage/sparse_people.cc
    uniqueness/uniqueness.cc
  DEPENDS tacit_attack_report tacit_anonymize tacit_noise tacit_base)

tacit_test(attack_files
  SOURCES
    dimension/dimension_test.cc intersection/intersection_test.cc linkage/linkage_test.cc
    linkage/sparse_test.cc uniqueness/uniqueness_test.cc
  DEPENDS tacit_attack_files)
