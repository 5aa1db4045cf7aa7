# CMake generated Testfile for 
# Source directory: /work/wt/asanfix
# Build directory: /work/wt/asanfix/build19
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
subdirs("tests")
